/**
 * The files of a project, looked at again and again while somebody wants to know: works on every file system, and a large
 * project is looked at less often.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface FilesStamp {
  /** Another one when a file is new, changed or gone. */
  readonly stamp: string
  /** Milliseconds since 1970. */
  readonly newestMs: number
  /** Of assets, relative to the root, with forward slashes. */
  readonly paths: ReadonlySet<string>
}

/** `models` as in the settings. A file that cannot be looked at counts as gone. */
export async function stampFiles(root: string, models: string): Promise<FilesStamp> {
  const found = await readdir(join(root, models), { recursive: true }).catch(() => [])
  const assets = found
    .filter(path => path.endsWith('.svc') && !/(^|[/\\])(\.|node_modules)/.test(path))
    .sort()
  const paths = assets.map(path => join(models, path).split('\\').join('/'))
  const looks = await Promise.all(
    ['svc.yaml', ...paths].map(path => stat(join(root, path)).catch(() => undefined)),
  )
  return {
    stamp: looks.map((look, index) => `${paths[index - 1]} ${look?.mtimeMs} ${look?.size}`).join('\n'),
    newestMs: Math.max(0, ...looks.map(look => look?.mtimeMs ?? 0)),
    paths: new Set(paths),
  }
}

const pauseMs = 1_500
/** So much longer than it takes. */
const rest = 50

/** Calls when the stamp is another one than before. Returns how to stop. */
export function watchStamp(look: () => Promise<FilesStamp>, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let known: string | undefined
  let isOver = false

  async function again(): Promise<void> {
    const started = performance.now()
    const { stamp } = await look()
    if (isOver) return
    if (known !== undefined && known !== stamp) changed()
    known = stamp
    timer = setTimeout(again, Math.max(pauseMs, (performance.now() - started) * rest))
    timer.unref()
  }

  void again()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
