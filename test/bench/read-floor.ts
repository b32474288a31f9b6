/** Started as a program: `read-floor <folder>` reads and hashes every file, below which no check that trusts nobody can be. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = ''] = process.argv.slice(2)
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
const all = createHash('sha256')
for (const file of files) {
  all.update(
    createHash('sha256')
      .update(readFileSync(join(file.parentPath, file.name)))
      .digest(),
  )
}
console.log(`${files.length} files ${all.digest('hex')}`)
