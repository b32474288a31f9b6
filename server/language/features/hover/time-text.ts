/** `2026-05-01 10:00 UTC` of a time in ISO 8601. */
export function timeText(iso: string): string {
  return iso.replace('T', ' ').replace(/:\d\d(\.\d+)?Z$/, ' UTC')
}
