import type { Reporter } from './reporter.ts';
import { pretty } from './reporters/for-people.ts';
import { github } from './reporters/github.ts';
import { json } from './reporters/json.ts';
import { junit } from './reporters/junit.ts';
import { markdown } from './reporters/markdown.ts';
import { ndjson } from './reporters/ndjson.ts';

/** To add a reporter: one file in reporters/, one line here. */
export const REPORTERS: readonly Reporter[] = [pretty, json, ndjson, junit, github, markdown];
