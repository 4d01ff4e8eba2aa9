import { useSearch } from '@tanstack/react-router'

/** The secret of the link that was opened; empty if the link has none. */
export function useToken(): string {
  const { token } = useSearch({ strict: false }) as { token?: string }
  return token ?? ''
}
