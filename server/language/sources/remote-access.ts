/** Where files are that lie on no local disk, and the keys that say how they are reached; sources and destinations share them. */
import { secretKey, webAddressFormat } from '../schema/formats.ts'
import { boolean, formatted, type KeyParts, object, text } from '../schema/shape.ts'

export type RemoteScheme = 'http' | 's3' | 'sftp'

/** Returns how the files of an endpoint are reached; undefined for a folder of this machine. */
export function remoteScheme(endpoint: string): RemoteScheme | undefined {
  const scheme = /^(https?|s3|sftp):\/\//i.exec(endpoint)?.[1]?.toLowerCase()
  return scheme === 'https' ? 'http' : (scheme as RemoteScheme | undefined)
}

export const s3Key: KeyParts = {
  onlyFor: { key: 'endpoint', pattern: /^s3:/i, what: 'an endpoint s3://bucket/folder' },
  doc: 'How an address s3://bucket/folder is reached; needed where the AWS variables and profile do not say it.',
  shape: object({
    endpoint: {
      names: 'address',
      doc: 'Address of a service other than Amazon that speaks S3, such as https://minio.example.com:9000.',
      shape: formatted(webAddressFormat),
      defaultDoc: 'AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, else Amazon',
    },
    region: {
      names: 'text',
      doc: 'Region of the bucket.',
      shape: text,
      defaultDoc: 'AWS_REGION, AWS_DEFAULT_REGION, the region of the profile, else us-east-1',
    },
    path_style: {
      doc: 'Whether the bucket is in the path of an address, not in its host.',
      shape: boolean,
      defaultDoc: 'true for a service other than Amazon',
    },
    access_key_id: secretKey('The public part of the key, where it is not in the credentials'),
    secret_access_key: secretKey('The secret part of the key, where it is not in the credentials'),
    session_token: secretKey('The token of a key that expires'),
    profile: {
      names: 'secret',
      doc: 'Profile of ~/.aws/credentials and ~/.aws/config with key and region.',
      shape: text,
      defaultDoc: 'AWS_PROFILE, else default',
    },
    anonymous: {
      doc: 'Asks without a key: the bucket is open to everybody.',
      shape: boolean,
      default: false,
    },
  }),
}

export const sftpKey: KeyParts = {
  onlyFor: { key: 'endpoint', pattern: /^sftp:/i, what: 'an endpoint sftp://user@host/folder' },
  doc: 'How an address sftp://user@host/folder is reached.',
  shape: object({
    host_key: {
      names: 'text',
      doc: 'The key of the server, as ssh-ed25519 AAAA… or as its fingerprint SHA256:….',
      shape: text,
      defaultDoc: 'what ~/.ssh/known_hosts and /etc/ssh/ssh_known_hosts say',
    },
    private_key: secretKey('The private key, where the credentials are not it'),
    passphrase: secretKey('The passphrase of the private key'),
    password: secretKey('The password, where the credentials are not it'),
  }),
}
