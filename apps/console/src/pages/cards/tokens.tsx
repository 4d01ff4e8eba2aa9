import { IconDeviceMobile } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Card, WalletToken } from '../../api/types.ts'
import { changeSeen } from '../../api/versions.ts'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import { shortNumber } from '../../parts/issuing/card_number.ts'
import type { Column } from '../../parts/listing.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Status } from '../../parts/values.tsx'
import styles from './cards.module.css'

/** The numbers by which wallets pay with this card. */
export function Tokens({ card: { id } }: { card: Card }) {
  const { t } = useTranslation()
  const may = useMay()
  const actions: Column<WalletToken> = {
    title: t('tokens.action'),
    isFigure: true,
    cell: (token) => <TokenActions token={token} />,
  }
  const columns: Column<WalletToken>[] = [
    { title: t('tokens.wallet'), cell: ({ wallet }) => t(`tokens.wallets.${wallet}`) },
    { title: t('tokens.device'), cell: ({ device_name }) => <bdi>{device_name ?? '—'}</bdi> },
    {
      title: t('tokens.number'),
      cell: ({ masked_token_number }) => <Code>{shortNumber(masked_token_number)}</Code>,
    },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    ...(may('changeTokenStatus') ? [actions] : []),
  ]
  return (
    <Panel title={t('tokens.title')} flush>
      <Paged
        label={t('tokens.title')}
        queryKey={['tokens', id]}
        read={(after) => {
          const query = after === undefined ? {} : { after }
          return answered(issuing.walletTokens.listCardTokens(id, query))
        }}
        columns={columns}
        expected={2}
        empty={
          <Empty
            isSmall
            icon={IconDeviceMobile}
            title={t('tokens.none')}
            text={t('tokens.none_text')}
          />
        }
      />
    </Panel>
  )
}

function changeToken(token: WalletToken, status: WalletToken['status']): Promise<WalletToken> {
  return changeSeen({
    item: token,
    read: () => answered(issuing.walletTokens.get(token.id)),
    isOther: (fresh) => fresh.status !== token.status,
    save: (match) => answered(issuing.walletTokens.changeStatus(token.id, { status }, match)),
  })
}

function TokenActions({ token }: { token: WalletToken }) {
  const { t } = useTranslation()
  const { status } = token
  if (status === 'DELETED') return null
  const other = status === 'ACTIVE' ? 'SUSPENDED' : 'ACTIVE'
  return (
    <span className={styles['buttons']}>
      <Act
        label={status === 'ACTIVE' ? t('tokens.suspend') : t('tokens.resume')}
        text={t('tokens.change_text')}
        act={() => changeToken(token, other)}
      />
      <Act
        isDangerous
        label={t('tokens.delete')}
        text={t('tokens.delete_text')}
        act={() => changeToken(token, 'DELETED')}
      />
    </span>
  )
}
