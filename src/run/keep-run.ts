import type { WebhookEvent } from '../model/event.ts';
import type { Run } from '../model/run.ts';
import { type JudgedBy, packEvidence } from './pack-evidence.ts';
import type { RunPorts } from './ports.ts';

/** Keeps a run with what it was judged by, where there is a place to. */
export function keepRun(run: Run, judged: JudgedBy, { store }: RunPorts): void {
  if (!store) return;
  const isKept = ({ id, payload }: WebhookEvent): boolean => {
    const kept = store.get(id);
    return kept?.id === id && Buffer.compare(kept.payload, payload) === 0;
  };
  store.saveRun(run, packEvidence(judged, run, isKept));
}
