// Recorded URLs are untrusted: only http and https become links.

export function isWeb(url: string | null | undefined): url is string {
  return /^https?:\/\//i.test(url ?? '');
}
