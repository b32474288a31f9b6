/** Files of an SFTP server. */
import { posix } from 'node:path'
import type { FileEntryWithStats, SFTPWrapper } from 'ssh2'
import { entriesOf, sftpClient } from '../../sftp/client.ts'
import { sftpPlace } from '../../sftp/place.ts'
import { credentialsOf } from '../credentials.ts'
import type { FileGlob } from '../found-files.ts'
import { warnOfLost } from '../skipped-files.ts'
import type { FileStore, StoredFile } from './file-store.ts'
import type { StoreRequest } from './open-store.ts'
import { saveBody } from './save-body.ts'

export async function sftpStore({ ingest, endpoint, context, note }: StoreRequest): Promise<FileStore> {
  const { env, signal, asset } = context
  const credentials = credentialsOf(asset, env)
  const place = await sftpPlace({ endpoint, settings: ingest.sftp, credentials, env, where: 'ingest.sftp' })
  const client = sftpClient({ place, signal, limits: ingest.limits, note })
  const shown = (name: string) => (name === '' ? place.shown : `${place.shown.replace(/\/$/, '')}/${name}`)
  return {
    shown: place.shown,
    async *list(glob, look) {
      const { found, lost } = await client.use(place.shown, async (sftp, touch) => {
        const all = { found: [] as StoredFile[], lost: [] as string[] }
        const seen = (names: number) => {
          touch()
          look(names)
        }
        await walk({ sftp, glob, folder: place.folder, look: seen, ...all }, '')
        return all
      })
      warnOfLost(context, lost)
      yield found
    },
    save: ({ name }, { path, atMost, onBytes }) =>
      client.use(shown(name), async (sftp, touch) => {
        const reading = { ...(atMost !== undefined && { end: atMost }), highWaterMark: 256 << 10 }
        const raw = sftp.createReadStream(posix.join(place.folder, name), reading)
        const seen = (bytes: number) => {
          touch()
          onBytes(bytes)
        }
        const { limits } = ingest
        return await saveBody(raw, { path, atMost, encoding: undefined, limits, onBytes: seen })
      }),
    close: () => client.close(),
  }
}

interface Walk {
  readonly sftp: SFTPWrapper
  readonly glob: FileGlob
  readonly folder: string
  readonly look: (names: number) => void
  readonly found: StoredFile[]
  /** Links that would count and lead nowhere. */
  readonly lost: string[]
}

/** Links are followed once: what they lead to is looked at by its own name. */
async function walk(at: Walk, below: string): Promise<void> {
  const entries = await entriesOf(at.sftp, posix.join(at.folder, below))
  at.look(entries.length)
  for (const { filename, attrs } of entries) {
    if (filename === '.' || filename === '..') continue
    const name = below === '' ? filename : `${below}/${filename}`
    const isLink = attrs.isSymbolicLink()
    const stats = isLink ? await statOf(at.sftp, posix.join(at.folder, name)) : attrs
    if (stats === undefined) {
      if (at.glob.matches(name)) at.lost.push(name)
      continue
    }
    if (stats.isDirectory()) {
      if (!isLink && at.glob.reaches(name)) await walk(at, name)
    } else if (at.glob.matches(name))
      at.found.push({ name, size: stats.size, stamp: `${stats.size} ${stats.mtime}` })
  }
}

/** A link that leads nowhere is no file. */
function statOf(sftp: SFTPWrapper, path: string): Promise<FileEntryWithStats['attrs'] | undefined> {
  return new Promise(resolve =>
    sftp.stat(path, (error, stats) => resolve(error ? undefined : (stats as FileEntryWithStats['attrs']))),
  )
}
