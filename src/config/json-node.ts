/** Where something begins in a text file; both count from 1. */
export type Place = { readonly line: number; readonly column: number };

/** A JSON value that knows where it and all its parts stand. */
export type JsonNode = {
  readonly place: Place;
  readonly value: unknown;
  /** Of an object. */
  readonly members?: ReadonlyMap<string, Member> | undefined;
  /** Of an array. */
  readonly items?: readonly JsonNode[] | undefined;
};

export type Member = { readonly keyPlace: Place; readonly node: JsonNode };

/** What stands at the end of a path of names and indexes; `undefined` where there is nothing. */
export function nodeAt(root: JsonNode, path: readonly PropertyKey[]): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of path) node = node?.members?.get(String(step))?.node ?? node?.items?.[Number(step)];
  return node;
}
