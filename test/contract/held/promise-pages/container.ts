/** The promises of docs/container.md. */
import { by, type PageEntries } from '../held.ts'

const leaseFile = 'engine/warehouse/lease-file.test.ts'

export const containerPromises: PageEntries = {
  page: 'container.md',
  held: {
    '7831dd Until then it ends with': by(leaseFile, '%s is respected or taken over'),
  },
  explains: [],
}
