/** A file of an SFTP server: sent under another name beside its place, and then renamed. */
import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import type { SFTPWrapper, Stats } from 'ssh2'
import { entriesOf, sftpClient } from '../sftp/client.ts'
import { sftpPlace } from '../sftp/place.ts'
import { optionalCredentials } from './credentials.ts'
import { draftIn, draftName, type FilePlace, isDraftOf, type PlaceRequest } from './file-place.ts'

export async function sftpFilePlace({ request, endpoint }: PlaceRequest): Promise<FilePlace> {
  const { target, env, signal, secrets, folder } = request
  const credentials = optionalCredentials(target, env)
  const where = `publish.${target.name}.sftp`
  const place = await sftpPlace({ endpoint, settings: target.sftp, credentials, env, where })
  for (const secret of [place.password, place.passphrase, place.privateKey]) secrets.add(secret ?? '')
  const client = sftpClient({ place, signal, limits: target.limits, note: () => undefined })
  const path = posix.join(place.folder, target.resource)
  const shown = `${place.shown.replace(/\/$/, '')}/${target.resource}`
  return {
    shown,
    place: `${place.user} ${shown}`,
    exists: () => client.use(shown, sftp => exists(sftp, path)),
    draft: () => draftIn(folder),
    put: draft =>
      client.use(shown, async (sftp, touch) => {
        await makeFolders(sftp, posix.dirname(path))
        const name = draftName(posix.basename(path), randomBytes(4).toString('hex'))
        const beside = posix.join(posix.dirname(path), name)
        try {
          const old = await statOf(sftp, path)
          // A file stays open to those only to whom the one before it was.
          const mode = old === undefined ? {} : { mode: old.mode & 0o777 }
          await done(reply => sftp.fastPut(draft, beside, { step: touch, ...mode }, reply))
          await replaceWith(sftp, beside, path)
        } catch (error) {
          await done(reply => sftp.unlink(beside, reply)).catch(() => undefined)
          throw error
        }
      }),
    tidy: () => client.use(shown, sftp => removeDrafts(sftp, path)),
    close: () => client.close(),
  }
}

async function removeDrafts(sftp: SFTPWrapper, path: string): Promise<void> {
  const folder = posix.dirname(path)
  if (!(await exists(sftp, folder))) return
  for (const { filename } of await entriesOf(sftp, folder))
    if (isDraftOf(posix.basename(path), filename))
      await done(reply => sftp.unlink(posix.join(folder, filename), reply))
}

type Reply = (error?: Error | null) => void

function done(work: (reply: Reply) => void): Promise<void> {
  return new Promise((resolve, reject) => work(error => (error ? reject(error) : resolve())))
}

/** The rename of the protocol refuses a name that is taken; OpenSSH has one that replaces, as a disk has. */
async function replaceWith(sftp: SFTPWrapper, from: string, to: string): Promise<void> {
  try {
    await done(reply => sftp.ext_openssh_rename(from, to, reply))
  } catch (error) {
    if (!(error instanceof Error) || !/does not support/i.test(error.message)) throw error
    if (await exists(sftp, to)) await done(reply => sftp.unlink(to, reply))
    await done(reply => sftp.rename(from, to, reply))
  }
}

async function exists(sftp: SFTPWrapper, path: string): Promise<boolean> {
  return (await statOf(sftp, path)) !== undefined
}

function statOf(sftp: SFTPWrapper, path: string): Promise<Stats | undefined> {
  return new Promise((resolve, reject) =>
    sftp.stat(path, (error, stats) => {
      if (error === undefined || error === null) return resolve(stats)
      return (error as Error & { code?: number }).code === 2 ? resolve(undefined) : reject(error)
    }),
  )
}

async function makeFolders(sftp: SFTPWrapper, folder: string): Promise<void> {
  if (folder === '/' || folder === '.' || (await exists(sftp, folder))) return
  await makeFolders(sftp, posix.dirname(folder))
  await done(reply => sftp.mkdir(folder, reply))
}
