/** SQL words of DuckDB for names and texts. */

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** As people write it: in quotes only where SQL needs them. */
export function nameSql(name: string): string {
  return /^[a-z_]\w*$/i.test(name) && !reservedWords.has(name.toLowerCase()) ? name : quoteName(name)
}

const reservedWords: ReadonlySet<string> = new Set(
  'all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create default deferrable desc describe distinct do else end except false fetch for foreign from group having in initially intersect into lambda lateral leading limit not null offset on only or order pivot pivot_longer pivot_wider placing primary qualify references returning select show some summarize symmetric table then to trailing true union unique unpivot using variadic when where window with'.split(
    ' ',
  ),
)

/** NUL ends a text for DuckDB's parser; it stands for nothing that SQL could mean. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''").replaceAll('\0', ' ')}'`
}
