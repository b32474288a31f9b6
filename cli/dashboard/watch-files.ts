/**
 * Polls the files of a project while there is a listener. Polling works on every file system; a large project
 * is polled less often.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

export type FilesStamp = Awaited<ReturnType<typeof stampFiles>>

export const settings = 'svc.yaml'

/** `models` is the setting. A file that cannot be read counts as deleted. */
export async function stampFiles(root: string, models: string) {
  const names = await readdir(join(root, models), { recursive: true }).catch(() => [])
  const assets = names
    .filter(path => path.endsWith('.svc') && !/(^|[/\\])(\.|node_modules)/.test(path))
    .sort()
  const paths = assets.map(path => join(models, path).split('\\').join('/'))
  const all = [settings, ...paths]
  const looks = await Promise.all(all.map(path => stat(join(root, path)).catch(() => undefined)))
  return {
    /** A value that changes when a file is added, changed or deleted. */
    stamp: looks.map((look, index) => `${all[index]} ${look?.mtimeMs} ${look?.size}`).join('\n'),
    /** The times of the settings and of all assets, by path relative to the root, in milliseconds since 1970. */
    times: new Map(
      all.flatMap((path, index) => (looks[index] ? [[path, looks[index].mtimeMs] as const] : [])),
    ),
  }
}

const pauseMs = 1_500
/** The pause is so many times as long as reading the files takes. */
const rest = 50

/** Calls `changed` when the stamp changes. Returns a function that stops it. */
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
