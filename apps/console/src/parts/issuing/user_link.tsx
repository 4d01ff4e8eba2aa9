import { useQuery } from '@tanstack/react-query'
import { ObjectLink } from '../object_link.tsx'
import { Code } from '../values.tsx'
import { nameOfUser, readUser } from './user_field.tsx'

/** A user by name; by id until the name is known. */
export function UserLink({ id }: { id: string }) {
  const { data } = useQuery({ queryKey: ['users', id], queryFn: () => readUser(id) })
  return (
    <ObjectLink to={`/users/${id}`}>
      {data ? <bdi>{nameOfUser(data)}</bdi> : <Code>{id}</Code>}
    </ObjectLink>
  )
}
