import type { TrialDefinition } from './trial-definition.ts';
import { ackDuplicateStatus } from './trials/ack-duplicate-status.ts';
import { ackLatency } from './trials/ack-latency.ts';
import { ackMalformed } from './trials/ack-malformed.ts';
import { ackPoison } from './trials/ack-poison.ts';
import { ackUnknownType } from './trials/ack-unknown-type.ts';
import { authRawBytes } from './trials/auth-raw-bytes.ts';
import { distinctConcurrent } from './trials/distinct-concurrent.ts';
import { distinctSamePayload } from './trials/distinct-same-payload.ts';
import { duplicateAfterRestart } from './trials/duplicate-after-restart.ts';
import { duplicateConcurrent } from './trials/duplicate-concurrent.ts';
import { duplicateInFlight } from './trials/duplicate-in-flight.ts';
import { duplicateLate } from './trials/duplicate-late.ts';
import { duplicateRedelivered } from './trials/duplicate-redelivered.ts';
import { duplicateReserialised } from './trials/duplicate-reserialised.ts';
import { duplicateSequential } from './trials/duplicate-sequential.ts';
import { duplicateStorm } from './trials/duplicate-storm.ts';
import { authMissing, authStale, authTampered, authWrongSecret } from './trials/forgeries.ts';
import { orderGap } from './trials/order-gap.ts';
import { orderLateAfterDelete } from './trials/order-late-after-delete.ts';
import { orderStaleUpdate } from './trials/order-stale-update.ts';
import { orderUpdateBeforeCreate } from './trials/order-update-before-create.ts';
import { retryAckedThenKilled } from './trials/retry-acked-then-killed.ts';
import { retryAfterCrash } from './trials/retry-after-crash.ts';
import { retryAfterError } from './trials/retry-after-error.ts';
import { retryAfterReset } from './trials/retry-after-reset.ts';
import { retryAfterTimeout } from './trials/retry-after-timeout.ts';

/** To add a trial: one file in trials/, one line here. This is also the order in which they are played. */
export const TRIALS: readonly TrialDefinition[] = [
  duplicateSequential,
  duplicateRedelivered,
  duplicateReserialised,
  duplicateConcurrent,
  duplicateInFlight,
  duplicateLate,
  duplicateAfterRestart,
  duplicateStorm,
  distinctSamePayload,
  distinctConcurrent,
  orderStaleUpdate,
  orderUpdateBeforeCreate,
  orderLateAfterDelete,
  orderGap,
  retryAfterTimeout,
  retryAfterReset,
  retryAfterError,
  retryAfterCrash,
  retryAckedThenKilled,
  ackDuplicateStatus,
  ackMalformed,
  ackUnknownType,
  ackLatency,
  authMissing,
  authWrongSecret,
  authTampered,
  authStale,
  authRawBytes,
  // The last one: a receiver that it blocks takes nothing more.
  ackPoison,
];
