/**
 * OpenSSH's own server for one test file: its own keys, a free port of this machine, SFTP alone, gone afterwards. Where the
 * program is not installed there is none, and one line says so.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from './free-port.ts'

export interface SftpServer {
  readonly port: number
  readonly user: string
  /** A folder that the server shows by its whole path. */
  readonly files: string
  /** A private key that is let in. */
  readonly key: string
  /** The same, behind the passphrase `sesame`. */
  readonly lockedKey: string
  /** A private key that is not let in. */
  readonly foreignKey: string
  /** The public key of the server, as `ssh-ed25519 AAAA…`. */
  readonly hostKey: string
  /** The line for known_hosts. */
  readonly knownHost: string
  /** Ends the connections that are open. */
  breakConnections(): void
  stop(): Promise<void>
}

const program = '/usr/sbin/sshd'

export function canStartSshd(): boolean {
  const can = existsSync(program) && process.getuid?.() === 0
  if (!can)
    process.stderr.write(
      "OpenSSH's sshd is not installed (apt install openssh-server), or this is not root: not tested with it\n",
    )
  return can
}

export async function startSftpServer(): Promise<SftpServer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sshd-'))
  chmodSync(folder, 0o755)
  const files = join(folder, 'files')
  mkdirSync(files)
  // The separation of rights needs an empty folder that only root may change.
  mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const path = (name: string) => join(folder, name)
  makeKey(path('host'), '')
  makeKey(path('user'), '')
  makeKey(path('locked'), 'sesame')
  makeKey(path('foreign'), '')
  writeFileSync(
    path('authorized'),
    readFileSync(path('user.pub'), 'utf8') + readFileSync(path('locked.pub'), 'utf8'),
    { mode: 0o600 },
  )
  const port = await freePort()
  writeFileSync(
    path('config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${path('host')}`,
      `PidFile ${path('pid')}`,
      `AuthorizedKeysFile ${path('authorized')}`,
      ...['StrictModes no', 'UsePAM no', 'PermitRootLogin yes', 'PasswordAuthentication no'],
      ...['KbdInteractiveAuthentication no', 'ForceCommand internal-sftp', 'Subsystem sftp internal-sftp'],
      '',
    ].join('\n'),
  )
  const child = spawn(program, ['-D', '-e', '-f', path('config')], { stdio: 'ignore', detached: true })
  await listening(port, child)
  const hostKey = readFileSync(path('host.pub'), 'utf8').split(' ').slice(0, 2).join(' ').trim()
  return {
    ...{ port, files, hostKey },
    user: userInfo().username,
    key: readFileSync(path('user'), 'utf8'),
    lockedKey: readFileSync(path('locked'), 'utf8'),
    foreignKey: readFileSync(path('foreign'), 'utf8'),
    knownHost: `[127.0.0.1]:${port} ${hostKey}`,
    breakConnections: () => {
      spawnSync('pkill', ['-KILL', '-P', String(child.pid)])
    },
    async stop() {
      const ended = new Promise(resolve => child.once('exit', resolve))
      // The server and the connections that it serves are one group.
      process.kill(-(child.pid ?? 0), 'SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function makeKey(path: string, passphrase: string): void {
  const made = spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', 'test', '-f', path], {
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`ssh-keygen failed: ${made.stderr}${made.stdout}`)
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; ; tries++) {
    const isOpen = await new Promise<boolean>(resolve => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      // A try that takes long is given up, and ends with `close` alone.
      socket.once('close', () => resolve(false))
      socket.unref()
      setTimeout(() => socket.destroy(), 1000).unref()
    })
    if (isOpen) return
    if (tries > 100 || child.exitCode !== null) throw new Error('sshd did not start')
    await wait(100)
  }
}
