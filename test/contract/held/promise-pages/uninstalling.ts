/** The promises of docs/uninstalling.md. */
import { by, type PageEntries } from '../held.ts'

const operatingPages = 'docs/operating-pages.test.ts'

export const uninstallingPromises: PageEntries = {
  page: 'uninstalling.md',
  held: {
    '58102c What svc leaves where, how': by(
      operatingPages,
      'names all files that svc leaves in a project, and that there are none elsewhere',
    ),
    'cba87c Nothing else of the database': by(
      operatingPages,
      'names all schemas of the warehouse, and its query lists those that are not production',
    ),
    '9e09d0 Nothing is left in the': by(
      operatingPages,
      'names all files that svc leaves in a project, and that there are none elsewhere',
    ),
  },
  explains: [],
}
