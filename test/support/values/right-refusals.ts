/** Why a destination may refuse a value: it cannot hold it. All other reasons are losses as much as silence is. */

const rightReasons: Readonly<Record<string, readonly RegExp[]>> = {
  postgres: [
    /^(date|timestamp) out of range: /,
    /^invalid byte sequence for encoding "UTF8": 0x00$/,
    /^unsupported Unicode escape sequence$/,
    /^"v" has an object with a key twice, of which PostgreSQL keeps one$/,
  ],
  mysql: [
    /^Incorrect double value: '(nan|-?inf)' for column `v`$/,
    // Years before the first one and after 9999, and days without end.
    /^Incorrect date(time)? value: '(.*\(BC\).*|-\d+-.*|\d{5,}-.*|-?infinity)' for column `v`$/,
    /^"v" has an object with a key twice, of which MySQL keeps one$/,
  ],
  // DuckDB does not read the last milliseconds with a zone as it writes them.
  duckdb: [/^timestamp field value out of range: "294247-01-10/],
}

/** Values of PostgreSQL that no file of rows has: NaN among decimals, the last years, halves of characters in JSON. */
const unfit = String.raw`(DECIMAL\(\d+,\d+\)|TIMESTAMP|TIMESTAMP WITH TIME ZONE|JSON)`
const unfitRow = new RegExp(`^"v" has a value that does not fit into ${unfit}, as which it would be sent$`)
const unfitFile = new RegExp(
  `^"v" has \\d+ values? that ${unfit} cannot hold, and a file has all rows or none$`,
)

export function isRightReason(destination: string, reason: string): boolean {
  const reasons = [...(rightReasons[destination] ?? []), unfitRow]
  return reasons.some(each => each.test(reason))
}

/** A file is refused as a whole. */
export function isRightRefusal(code: string, message: string): boolean {
  return code === 'destination-shape' && unfitFile.test(message)
}
