/** Defines the key `extensions` of `svc.yaml` from the engines' descriptions of their extensions. */
import type { Engine } from '../engines/engine.ts'
import { extensibleEngines } from '../engines/extensions.ts'
import { formatted, type KeyParts, listOf, object, shorthand, type TextFormat } from './shape.ts'

/** Makes the key; at least one engine must have extensions. */
export function extensionsKey(engines: readonly Engine[]): KeyParts {
  const kinds = engines.flatMap(({ extensions }) => extensions ?? [])
  const names = formatOfNames(kinds.map(kind => kind.names))
  const paths = formatOfPaths(kinds.flatMap(kind => kind.fileEnding ?? []))
  const namedAlone = kinds.map(kind => kind.namedAlone).join('; ')
  return {
    doc: `Extensions of ${extensibleEngines(engines)} whose functions and types the project uses, by name; those of ${extensibleEngines(engines, 'native')}, which are native code, also from a file.`,
    default: [],
    shape: listOf(
      shorthand(
        ['name'],
        object({
          name: {
            names: 'extension',
            doc: `Its name; ${namedAlone}.`,
            required: true,
            shape: formatted(names),
          },
          path: {
            names: 'file',
            doc: "Its file, relative to the project's root; nothing is fetched then.",
            shape: formatted(paths),
          },
        }),
      ),
    ),
  }
}

function formatOfNames(names: readonly { readonly pattern: string; readonly rule: string }[]): TextFormat {
  return {
    pattern: new RegExp(`^${anyOf(names.map(({ pattern }) => pattern))}$`),
    code: 'invalid-name',
    rule: `an extension's name ${names.map(({ rule }) => rule).join(', or ')}`,
    noNumber: true,
  }
}

function formatOfPaths(endings: readonly string[]): TextFormat {
  const patterns = endings.map(ending => ending.replaceAll('.', '\\.'))
  return {
    pattern: new RegExp(`^(?![a-z][a-z0-9+.-]+:\\/\\/).*${anyOf(patterns)}$`, 'i'),
    rule: `the path of an extension is a local file that ends in ${endings.join(' or ')}`,
    noNumber: true,
  }
}

function anyOf(patterns: readonly string[]): string {
  return patterns.length === 1 ? patterns.join('') : `(${patterns.join('|')})`
}
