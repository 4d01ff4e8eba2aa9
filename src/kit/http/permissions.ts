export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * The permission that a key must have (D-12), or the role of a member allow (D-137). `open` routes
 * ask for no caller. Only sessions have the permissions `member`, `keys` and `team`.
 */
export type Permission =
  | 'read'
  | 'write'
  | 'cards:reveal'
  | 'cards:widget'
  | 'operator'
  | 'merchant'
  | 'member'
  | 'keys'
  | 'team'
  | 'open'
