import type { ServerResponse } from 'node:http';
import { messageOf } from '../support/errors.ts';
import { forwardCall } from './forward-call.ts';
import type { Call } from './spy-call.ts';
import type { SpyAnswer } from './spy-options.ts';

/** @returns the status that the caller got */
export async function giveAnswer(call: Call, answer: SpyAnswer, response: ServerResponse): Promise<number> {
  return answer.kind === 'fixed' ? answerFixed(response, answer) : await answerForwarded(call, answer.to, response);
}

/** Fails as an API does that is down for a moment. */
export function fail(response: ServerResponse, status: number): number {
  const body = '{"error":"webhook-replay lets this call fail once"}';
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  return status;
}

function answerFixed(response: ServerResponse, answer: Extract<SpyAnswer, { kind: 'fixed' }>): number {
  const hasBody = answer.status !== 204 && answer.status !== 304;
  response.writeHead(answer.status, hasBody ? answer.headers : {});
  response.end(hasBody ? answer.body : undefined);
  return answer.status;
}

async function answerForwarded(call: Call, to: URL, response: ServerResponse): Promise<number> {
  try {
    return await forwardCall(call, to, response);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else
      response
        .writeHead(502, { 'content-type': 'text/plain' })
        .end(`webhook-replay: ${to.origin}: ${messageOf(error)}\n`);
    return 502;
  }
}
