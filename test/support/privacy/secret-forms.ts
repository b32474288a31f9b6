/** A value as it may stand in a text: as it is, as JSON, SQL, an address, a page or base64 writes it, cut off, in another case. */

/** A piece that is shorter than this is no finding: it may be of something else. */
const piece = 6

export function secretForms(value: string): RegExp {
  const json = JSON.stringify(value).slice(1, -1)
  const bare = value.normalize('NFC')
  const ascii = [...json].map(sign => (sign > '~' ? unicodeEscape(sign) : sign)).join('')
  const forms = [
    ...[bare, json, ascii, JSON.stringify(json).slice(1, -1)],
    ...[bare.replaceAll("'", "''"), bare.replaceAll('"', '""'), encodeURIComponent(bare)],
    Buffer.from(bare).toString('base64').replace(/=+$/, '').slice(0, -2),
  ]
  // What is cut off has its beginning or its end.
  const pieces = forms.flatMap(form => [form.slice(0, Math.max(piece, 7)), form.slice(-8)])
  const digits = /^[0-9.]+$/.test(bare) ? [bare.replace('.', '').replace(/\B(?=(\d{3})+$)/g, ',')] : []
  const dates = /^\d{4}-\d\d-\d\d$/.test(bare) ? [bare, bare.replaceAll('-', ''), 'Mar 29 1971'] : undefined
  const all = dates ?? [...pieces, ...digits]
  return new RegExp([...new Set(all)].map(literal).join('|'), 'iu')
}

function unicodeEscape(sign: string): string {
  return [...Array(sign.length).keys()]
    .map(at => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
