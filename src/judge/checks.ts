import type { Check } from './checks/check.ts';
import { duplicatesAcknowledged } from './checks/duplicates-acknowledged.ts';
import { newestWins } from './checks/newest-wins.ts';
import { noLostEffect } from './checks/no-lost-effect.ts';
import { noSecondEffect } from './checks/no-second-effect.ts';

/** To add a check: one file in checks/, one line here. The order is that of the findings. */
export const CHECKS: readonly Check[] = [noSecondEffect, noLostEffect, newestWins, duplicatesAcknowledged];
