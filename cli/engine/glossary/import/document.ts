/** Reads JSON or YAML with places for messages: lines of YAML, pointers into JSON. */
import { lineIndex, nodeAt, parseYaml, placeAt, plainValue } from '@svc/server/language'
import { SvcError } from '../../errors.ts'

export type DocumentPath = readonly (string | number)[]
export type DocumentPlaces = (path: DocumentPath) => string

export interface ReadDocument {
  readonly root: unknown
  readonly places: DocumentPlaces
}

/** Throws SvcError `import-unreadable`. */
export function readDocument(path: string, text: string): ReadDocument {
  return /\.json$/i.test(path) ? readJson(path, text) : readYaml(path, text)
}

function readJson(path: string, text: string): ReadDocument {
  try {
    const root: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return { root, places: parts => `/${parts.join('/')}` }
  } catch (error) {
    throw new SvcError('import-unreadable', `${path} is no JSON: ${(error as Error).message}`, {
      hint: 'Was it downloaded completely?',
      place: path,
    })
  }
}

function readYaml(path: string, text: string): ReadDocument {
  const { root, problems } = parseYaml(text)
  const lines = lineIndex(text)
  const [problem] = problems
  if (problem !== undefined) {
    const place = placeAt(path, text, problem.range.start)
    throw new SvcError('import-unreadable', `${path} is no YAML: ${problem.message}`, { place })
  }
  return {
    root: plainValue(root),
    places: parts => `line ${lines.position(nodeAt(root, parts)?.range.start ?? 0).line}`,
  }
}
