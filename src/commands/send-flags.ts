import type { DeliveryOptions } from './delivery-options.ts';
import type { ReporterOption } from './reporter-option.ts';

export type SendFlags = DeliveryOptions &
  ReporterOption & {
    readonly event?: readonly string[] | undefined;
    readonly type?: string | undefined;
    readonly body?: string | undefined;
    readonly newIds?: boolean | undefined;
    readonly effect?: readonly string[] | undefined;
    readonly ignore?: readonly string[] | undefined;
    readonly seed?: number | undefined;
  };
