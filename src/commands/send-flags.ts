import type { DeliveryOptions } from './delivery-options.ts';

export type SendFlags = DeliveryOptions & {
  readonly event?: readonly string[] | undefined;
  readonly type?: string | undefined;
  readonly body?: string | undefined;
  readonly newIds?: boolean | undefined;
  readonly effect?: readonly string[] | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly seed?: number | undefined;
};
