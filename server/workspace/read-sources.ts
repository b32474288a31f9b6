export const schemaLockFile = 'schemas.lock.json'
