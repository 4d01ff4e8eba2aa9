import { ActionIcon, Menu } from '@mantine/core'
import { IconLogout, IconUserCircle, IconUserCog } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { endSession } from '../api/session.ts'
import type { Role } from '../api/types.ts'
import { LanguageItems, SchemeItems } from './choices.tsx'

type AccountMenuProps = { email: string; role: Role }

/** Who has signed in, how the console looks, and the end of the session. */
export function AccountMenu({ email, role }: AccountMenuProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const leave = async () => {
    await endSession()
    await navigate({ to: '/sign-in' })
  }
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('shell.more')}>
          <IconUserCircle size={22} stroke={1.5} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <bdi>{email}</bdi>
          <br />
          {t(`roles.${role}`)}
        </Menu.Label>
        <Menu.Item
          component={Link}
          to="/account"
          leftSection={<IconUserCog size={16} aria-hidden />}
        >
          {t('pages.my_account')}
        </Menu.Item>
        <Menu.Divider />
        <LanguageItems />
        <Menu.Divider />
        <SchemeItems />
        <Menu.Divider />
        <Menu.Item component="a" href="/docs">
          {t('shell.docs')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          {t('shell.sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
