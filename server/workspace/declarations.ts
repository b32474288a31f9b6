/** Reads what a project declares of its database: the statements of `database/*.sql`, with what is wrong with them. */
import { join } from 'node:path'
import { loadOfDeclaration, type MayOpen, tryDeclarations } from '../catalog/index.ts'
import { type Declaration, type Diagnostic, type Engine, engines } from '../language/index.ts'
import { listFiles } from './read-assets.ts'
import { readIfExists } from './read-if-exists.ts'

interface Placed extends Declaration {
  readonly path: string
}

/** Returns whether it is a file of declarations of some engine. */
export function isDeclarationPath(path: string): boolean {
  return (
    engines.some(({ declarations }) => path.startsWith(declarations?.folder ?? '\0')) && path.endsWith('.sql')
  )
}

/** Returns the texts of the files by path, that of the server first: the others may replace what it says. */
export function declarationTexts(
  root: string,
  { declarations }: Engine,
  mayOpen?: MayOpen,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  if (declarations === undefined) return texts
  const { folder, asked } = declarations
  const paths = listFiles(root, folder, '.sql', mayOpen)
  for (const path of [...paths.filter(each => each === asked), ...paths.filter(each => each !== asked)]) {
    const text = readIfExists(join(root, path))
    if (text !== undefined) texts.set(path, text)
  }
  return texts
}

/** Returns the statements that can be loaded after `load`; it never throws. */
export async function readDeclarations(
  texts: ReadonlyMap<string, string>,
  engine: Engine,
  load: readonly string[],
): Promise<{ readonly load: readonly string[]; readonly diagnostics: readonly Diagnostic[] }> {
  const all = [...texts].flatMap(([path, text]) =>
    (engine.declarations?.read(text) ?? []).map((each): Placed => ({ ...each, path })),
  )
  if (all.length === 0) return { load: [], diagnostics: [] }
  const good = all.filter(({ problem }) => problem === undefined)
  const told =
    good.length === 0
      ? []
      : await tryDeclarations(
          engine,
          load,
          good.map(({ sql }) => sql),
        )
  const messages = new Map(good.map((each, index) => [each, told[index]]))
  const wrong = (each: Placed) => each.problem ?? messages.get(each)
  return {
    load: good.filter(each => wrong(each) === undefined).map(({ sql }) => loadOfDeclaration(sql)),
    diagnostics: all.flatMap(each => {
      const message = wrong(each)
      return message === undefined ? [] : diagnosticOf(each, message, engine)
    }),
  }
}

function diagnosticOf({ path, start, end }: Placed, message: string, engine: Engine): Diagnostic {
  const isAsked = path === engine.declarations?.asked
  return {
    code: 'declaration-not-loaded',
    severity: isAsked ? 'warning' : 'error',
    path,
    range: { start, end },
    message: `this is not known where SQL is checked: ${message}`,
    hint: isAsked
      ? 'What uses it is refused. svc doctor --write asks the server again; a file beside this one may declare it in another way.'
      : 'Correct the statement, or remove it.',
  }
}
