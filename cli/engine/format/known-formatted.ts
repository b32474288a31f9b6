/**
 * Remembers the hashes of texts that need no formatting, because nearly all files are unchanged since the
 * last call. Stored under `.svc/cache/`, per program and engine; if it cannot be read or written, the next
 * `svc fmt` is slower.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '@svc/server/language'
import { writeWhole } from '../artifacts/write-file.ts'

export interface KnownFormatted {
  has(text: string): boolean
  add(text: string): void
  /** Stores the hashes. `isWhole`: hashes that were not used in this run are deleted. */
  keep(isWhole: boolean): void
}

const hashDigits = 32

export function knownFormatted(
  root: string | undefined,
  engine: Engine,
  program: string | undefined,
  pid: number,
): KnownFormatted {
  if (root === undefined || program === undefined) return nothing
  const folder = join(root, '.svc', 'cache')
  const path = join(folder, 'formatted')
  const maker = `${program} ${engine.kind}`
  const before = read(path, maker)
  const now = new Set<string>()
  return {
    has(text) {
      const hash = hashOf(text)
      const known = before.has(hash)
      if (known) now.add(hash)
      return known
    },
    add(text) {
      now.add(hashOf(text))
    },
    keep(isWhole) {
      const all = isWhole ? now : new Set([...before, ...now])
      const isSame = all.size === before.size && [...all].every(hash => before.has(hash))
      if (!isSame) write(folder, path, maker, all, pid)
    },
  }
}

const nothing: KnownFormatted = { has: () => false, add: () => {}, keep: () => {} }

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, hashDigits)
}

function read(path: string, maker: string): ReadonlySet<string> {
  try {
    const [head, ...hashes] = readFileSync(path, 'utf8').split('\n')
    return head === maker ? new Set(hashes.filter(hash => hash.length === hashDigits)) : new Set()
  } catch {
    return new Set()
  }
}

function write(folder: string, path: string, maker: string, hashes: ReadonlySet<string>, pid: number): void {
  try {
    mkdirSync(folder, { recursive: true })
    // The cache must not become part of the user's repository.
    writeFileSync(join(folder, '.gitignore'), '*\n')
    writeWhole(path, `${[maker, ...hashes].join('\n')}\n`, pid)
  } catch {
    // The disk may be full, or the folder may belong to another user.
  }
}
