export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * The permissions of routes as members: `open` routes ask for no caller, and `read` changes
 * nothing. Others are declared beside the callers that have them.
 */
export interface Permissions {
  open: true
  read: true
}
export type Permission = keyof Permissions
