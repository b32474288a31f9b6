/**
 * The one difference that there may be between a server in which somebody has typed and a fresh one: who reads an asset
 * that does not bind is checked against the columns that the asset had last, of which a fresh server knows nothing.
 */

/** What a server says of each file: a line for each problem, `line:character-line:character severity code message`. */
export type Said = ReadonlyMap<string, readonly string[]>

/** `textOf`: what is in a file now. Whether `path` may say what it does because of what others were before. */
export function mayRemember(
  path: string,
  said: { readonly now: Said; readonly fresh: Said },
  textOf: (path: string) => string | undefined,
): boolean {
  const [now, fresh] = [said.now.get(path) ?? [], said.fresh.get(path) ?? []]
  const more = now.filter(line => !fresh.includes(line))
  const less = fresh.filter(line => !now.includes(line))
  return more.concat(less).every(isAboutColumns) && restsOnBroken(path, said.fresh, textOf)
}

/** Of what SQL says about columns; what is wrong with the file itself is the same in both. */
function isAboutColumns(line: string): boolean {
  const [, , code = ''] = line.split(' ')
  return code.startsWith('sql-') || /column|type|test|term|policy/.test(code)
}

function restsOnBroken(path: string, fresh: Said, textOf: (path: string) => string | undefined): boolean {
  const byName = new Map([...fresh.keys()].map(each => [nameIn(each, textOf(each) ?? ''), each]))
  const seen = new Set<string>()
  const waiting = [path]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    const lines = fresh.get(next) ?? []
    if (lines.some(isError)) {
      // What is missing is taken for what is nearest in name: that may be any of those that are broken.
      if (next !== path || lines.some(line => /unknown-(ref|table|source)|sql-/.test(line))) return true
    }
    for (const name of namesRead(textOf(next) ?? '')) {
      const read = byName.get(name)
      if (read !== undefined) waiting.push(read)
    }
  }
  return false
}

function isError(line: string): boolean {
  return line.split(' ')[1] === '1'
}

function nameIn(path: string, text: string): string {
  return /^name:\s*["']?([^\s"'#]+)/m.exec(text)?.[1] ?? path.replace(/^.*\/|\.svc$/g, '')
}

function namesRead(text: string): string[] {
  const refs = [...text.matchAll(/ref\(\s*["']([^"']*)["']/g)].map(match => match[1] ?? '')
  const relationships = [...text.matchAll(/([A-Za-z_]\w*)\.[A-Za-z_]\w*/g)].map(match => match[1] ?? '')
  return [...refs, ...relationships]
}
