import { Button, Menu } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { setMark, useMark } from './csv_mark.ts'

/** The settings of downloads, which the browser keeps. */
export function DownloadMenu() {
  const { t } = useTranslation()
  const hasMark = useMark()
  return (
    <Menu position="bottom-end" defaultOpened>
      <Menu.Target>
        <Button variant="default" px="xs" aria-label={t('downloads.downloads')}>
          <IconChevronDown size={16} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxItem
          checked={hasMark}
          checkIcon={<IconCheck size={16} aria-hidden />}
          onChange={setMark}
        >
          {t('downloads.mark')}
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  )
}
