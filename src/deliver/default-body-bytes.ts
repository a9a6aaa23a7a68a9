/** How much of an answer is kept unless the caller says otherwise: 64 KiB. */
export const DEFAULT_BODY_BYTES = 64 * 1024;
