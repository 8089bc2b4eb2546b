import type { PageTexts } from './en.ts';

export const pt: PageTexts = {
  notFound: {
    title: 'Link não encontrado',
    nothing: 'Esta página não existe.',
    code: 'O link curto {code} não existe aqui. Verifique se está bem escrito ou peça um novo link a quem o partilhou. Maiúsculas e minúsculas não fazem diferença.',
    create: 'Criar este link',
  },
  notStarted: {
    title: 'Este link ainda não está ativo',
    text: 'O proprietário definiu uma data de início. Tente novamente mais tarde.',
  },
  exhausted: {
    title: 'Este link atingiu o limite de cliques',
    text: 'Peça um novo link a quem o partilhou.',
  },
  unavailable: {
    title: 'Este link não está disponível',
    text: 'O proprietário desativou-o ou limitou quem o pode abrir.',
  },
  unfilled: {
    title: 'Este link está incompleto',
    text: 'Acrescente uma palavra ou um número depois do link curto, por exemplo /link/palavra. Pergunte a quem o partilhou o que deve acrescentar.',
  },
  refused: {
    title: 'Este URL não é permitido',
    text: 'Com o texto depois do link curto, o destino é um URL para o qual este link não pode redirecionar.',
  },
  tooLong: {
    title: 'Este URL é demasiado longo',
    text: 'Com o texto depois do link curto, o URL de destino é demasiado longo. Use menos texto.',
  },
  once: {
    title: 'Só pode usar este link uma vez',
    text: 'Clique no botão para abrir o destino. Depois disso, o link deixa de funcionar. Para o usar mais tarde, feche esta página.',
  },
  exclude: {
    title: 'Excluir as suas visitas?',
    text: 'Os links curtos continuam a redirecionar, mas as visitas deste navegador deixam de ser contadas na sua conta.',
  },
  count: {
    title: 'Voltar a contar as suas visitas?',
    text: 'As visitas deste navegador voltam a ser contadas na sua conta.',
  },
  password: {
    title: 'Este link está protegido por palavra-passe',
    text: 'Introduza a palavra-passe para continuar. Se não a souber, peça-a a quem partilhou o link.',
    label: 'Palavra-passe',
    wrong: 'Palavra-passe incorreta. Distingue maiúsculas de minúsculas.',
  },
  app: {
    title: 'Abrir na aplicação?',
    text: 'Este link abre numa aplicação. Se não a tiver instalada, continue na web.',
    open: 'Abrir a aplicação',
    store: 'Obter a aplicação',
    web: 'Continuar para {host}',
  },
  failed: { title: 'Ocorreu um erro', status: 'Erro {status}' },
  root: {
    title: 'Links curtos',
    heading: 'Este é um serviço de links curtos',
    text: 'Cada link curto redireciona para um URL escolhido pelo proprietário.',
    page: 'Procura uma página?',
    pageHelp: 'Introduza o link curto completo, incluindo a parte depois da barra.',
    unsure: 'Não sabe para onde vai um link?',
    unsureHelp: 'Acrescente {plus} no fim de um link curto para ver o destino sem o abrir.',
    making: 'Quer criar links curtos?',
    docs: 'documentação',
    docsHelp: 'Consulte a {docs}. Lá pode experimentar todas as chamadas da API.',
    api: 'descrição da API',
    apiHelp: 'Os programas podem ler a {api}.',
  },
  about: 'Sobre estes links curtos',
  preview: {
    title: 'Pré-visualização de {code}',
    heading: 'Este link redireciona para {host}',
    text: 'O link curto {code} redireciona para este URL:',
    template: 'O destino de {code} é completado com o texto depois do link curto:',
    go: 'Continuar para {host}',
    made: 'Criado em {date}.',
  },
};
