import { useQuery } from '@tanstack/react-query'
import { answered, issuing } from '../../api/client.ts'
import { ObjectLink } from '../object_link.tsx'
import { Code } from '../values.tsx'
import { shortNumber } from './card_number.ts'

/** A card by its last digits; by id until they are known. */
export function CardLink({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['cards', id],
    queryFn: () => answered(issuing.cards.get(id)),
  })
  return (
    <ObjectLink to={`/cards/${id}`}>
      <Code>{data ? shortNumber(data.masked_card_number) : id}</Code>
    </ObjectLink>
  )
}
