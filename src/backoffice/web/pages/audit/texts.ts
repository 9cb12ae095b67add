import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  description: [
    'Who changed what, when and from where. Entries are never deleted.',
    'Quem alterou o quê, quando e de onde. Os registos nunca são eliminados.',
  ],
  ownDescription: [
    'Who changed what at this merchant, when and from where. Entries are never deleted.',
    'Quem alterou o quê neste comerciante, quando e de onde. Os registos nunca são eliminados.',
  ],
  ownersOnly: ['For owners only', 'Só para proprietários'],
  ownersOnlyText: [
    'Only owners can see who changed what.',
    'Só os proprietários podem ver quem alterou o quê.',
  ],
  counted: [
    (count: string, one: boolean) => (one ? '1 entry' : `${count} entries`),
    (count, one) => (one ? '1 registo' : `${count} registos`),
  ],
  what: ['What', 'Ação'],
  anything: ['All actions', 'Todas as ações'],
  who: ['Who', 'Quem'],
  anybody: ['Everyone', 'Todos'],
  noPerson: ['No person with that email', 'Nenhuma pessoa com esse e-mail'],
  when: ['When', 'Quando'],
  details: ['Details', 'Detalhes'],
  from: [(address: string) => `from ${address}`, (address) => `de ${address}`],
  none: ['No entries', 'Sem registos'],
  noneText: ['No entries match. Change the filters.', 'Nenhum registo corresponde. Altere os filtros.'],
});
