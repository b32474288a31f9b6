/**
 * Texts that need no formatting, by their hash: of ten thousand files nearly all are as they were the last time. Kept
 * under `.svc/cache/`, for one program and engine; where it cannot be read or written the next `svc fmt` is slower.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '@svc/server/language'
import { writeWhole } from '../artifacts/write-file.ts'

export interface KnownFormatted {
  has(text: string): boolean
  add(text: string): void
  /** `isWhole`: what was not asked for in this run is gone. */
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
    // As everything under it, no part of the user's repository.
    writeFileSync(join(folder, '.gitignore'), '*\n')
    writeWhole(path, `${[maker, ...hashes].join('\n')}\n`, pid)
  } catch {
    // A full disk, a folder of someone else.
  }
}
