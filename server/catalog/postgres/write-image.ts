/** Writes the image that `openImage` reads: `write-image <file>`. A build runs it, because it takes seconds. */
import { writeFileSync } from 'node:fs'
import { setUp } from './image.ts'
import { loadPostgres } from './open-image.ts'

async function writeImage(file: string): Promise<void> {
  const { PGlite } = await loadPostgres()
  const image = await (await setUp(await PGlite.create())).dumpDataDir('none')
  writeFileSync(file, Buffer.from(await image.arrayBuffer()))
}

// An error that nobody catches is printed and ends the process with exit code 1.
void writeImage(process.argv[2] ?? '').then(() => process.exit(0))
