import { locate } from '../project/locate.ts'
import type { FileCheck } from './check.ts'
import { isFreeName, renameTo } from './fix.ts'

/** PostgreSQL keeps 63 bytes of a name; the raw table of an asset is called `<name>__raw`. */
const longestName = 63 - '__raw'.length

export const nameTooLong: FileCheck = {
  code: 'name-too-long',
  doc: `A name of more than ${longestName} characters, which not every warehouse can hold.`,
  *run(asset) {
    if (asset.name.length <= longestName) return
    yield {
      range: locate(asset, ['name']),
      message: `the name is ${asset.name.length} characters long, ${longestName} are allowed`,
      hint: 'Shorten it: warehouses cut longer names, and then two could become one.',
    }
  },
  fix(problem, asset) {
    const name = asset.name.slice(0, 57).replace(/_+[^_]*$/, '')
    return isFreeName(problem, name) ? renameTo(problem, asset, name) : []
  },
}
