import { Skeleton } from '@mantine/core'
import { IconRouteOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { Empty } from '../empty.tsx'
import { Failing } from '../failing.tsx'
import { WireMessageCard } from './wire_message.tsx'

type WireMessagesProps = {
  transaction_id: string
  /** Changes when messages were added, so that they are read again. */
  modified?: string
  /** Whether the fields of the first message are shown at first. */
  isOpen?: boolean
}

/** Every message of a transaction, oldest first. */
export function WireMessages({ transaction_id: id, modified, isOpen = false }: WireMessagesProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['transactions', id, 'messages', modified],
    // Known messages stay while further ones are read.
    placeholderData: (known, query) => (query?.queryKey[1] === id ? known : undefined),
    queryFn: () => answered(issuing.transactions.listMessages(id)),
  })
  if (error && !data) return <Failing error={error} retry={refetch} />
  if (!data) return <Skeleton height={96} role="status" aria-label={t('states.loading')} />
  const [none, text] = data.recorded
    ? (['none', 'none_text'] as const)
    : (['off', 'off_text'] as const)
  if (data.data.length === 0) {
    return <Empty isSmall icon={IconRouteOff} title={t(`wire.${none}`)} text={t(`wire.${text}`)} />
  }
  return data.data.map((message, at) => (
    <WireMessageCard key={message.id} message={message} isOpen={isOpen && at === 0} />
  ))
}
