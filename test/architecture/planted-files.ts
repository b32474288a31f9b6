/** A folder for each test, with files that break a rule on purpose: a rule that finds nothing in them holds nothing. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

export interface PlantedFiles {
  /** The folder of the test that runs, absolute. */
  readonly root: string
  /** `file`: relative to the folder. */
  plant(file: string, text: string): void
}

/** Call it where the tests are described. */
export function plantedFiles(): PlantedFiles {
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'svc-planted-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))
  return {
    get root() {
      return root
    },
    plant(file, text) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    },
  }
}
