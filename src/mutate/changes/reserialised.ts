import type { Change } from './change.ts';
import { bytesOf, isJsonObject, latin1Of, mapOutsideStrings } from './json-layout.ts';

/** What a sender that builds the body anew for each attempt may send (Devlaner/devlane#306, documenso#3204). */
export const reserialised: Change = {
  id: 'reserialised',
  summary: 'the same content in other bytes: white space is laid out differently',
  apply: ({ payload }) => {
    const text = latin1Of(payload);
    if (!isJsonObject(text)) return undefined;
    const compact = mapOutsideStrings(text, (between) => between.replace(/\s+/g, ''));
    const spaced = mapOutsideStrings(compact, (between) => between.replace(/[:,]/g, '$& '));
    return { payload: bytesOf(compact === text ? spaced : compact) };
  },
};
