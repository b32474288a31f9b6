// Installs the database servers, and the server of files, that tests start, where this is possible: as root, from Debian's packages. Tests
// say in one line what they leave out without them: `node scripts/databases.mjs`
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { installFromDebian } from './editor-tools.mjs'

const postgresFolder = '/usr/lib/postgresql'
const hasPostgres =
  existsSync(postgresFolder) &&
  readdirSync(postgresFolder).some(version => existsSync(join(postgresFolder, version, 'bin', 'initdb')))
if (!hasPostgres) installFromDebian('postgresql')
if (!existsSync('/usr/sbin/sshd')) installFromDebian('openssh-server')
// The server alone, without the service that the whole package starts.
if (!existsSync('/usr/sbin/mariadbd')) installFromDebian('mariadb-server-core')
// What makes the server's first tables reads options with a program of this package.
if (!existsSync('/usr/bin/my_print_defaults')) installFromDebian('mariadb-client-core')
