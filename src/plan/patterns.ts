import type { Pattern } from './pattern.ts';
import { burst } from './patterns/burst.ts';
import { concurrent } from './patterns/concurrent.ts';
import { delay } from './patterns/delay.ts';
import { duplicate } from './patterns/duplicate.ts';
import { once } from './patterns/once.ts';
import { outOfOrder } from './patterns/out-of-order.ts';
import { retry } from './patterns/retry.ts';

/** To add a pattern: one file in patterns/, one line here. The order is that of help; tests cover every entry. */
export const PATTERNS: readonly Pattern[] = [once, duplicate, concurrent, outOfOrder, delay, burst, retry];
