const SECRET_PARAMETER =
  /([?&](?:access_token|api[_-]?key|apikey|auth|client_secret|key|passw(?:or)?d|pwd|secret|sig|signature|token)=)[^&#\s'"]*/gi;

/** What opens doors becomes `***`: user and password in front of a URL's host, and query parameters that are called like a key. */
export function hideCredentials(text: string): string {
  return text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]+@/gi, '$1***@').replace(SECRET_PARAMETER, '$1***');
}
