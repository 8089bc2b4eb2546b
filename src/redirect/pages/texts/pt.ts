import type { PageTexts } from './en.ts';

export const pt: PageTexts = {
  notFound: {
    title: 'Este link não existe',
    nothing: 'Não há nada neste endereço.',
    code: 'O link curto {code} não existe aqui. Compare-o letra por letra com o original ou peça um novo. Maiúsculas e minúsculas não fazem diferença.',
  },
  expired: {
    title: 'Este link expirou',
    text: 'O proprietário tinha definido uma data limite. Peça-lhe um novo link.',
  },
  notStarted: {
    title: 'Este link ainda não está ativo',
    text: 'O proprietário definiu uma data de início. Volte mais tarde.',
  },
  exhausted: {
    title: 'Este link está esgotado',
    text: 'O proprietário limitou o número de visitas. Peça-lhe um novo link.',
  },
  unavailable: {
    title: 'Este link não está disponível',
    text: 'O proprietário desativou-o ou não o disponibiliza aqui.',
  },
  unfilled: {
    title: 'Falta algo depois deste link',
    text: 'Depois do link curto é preciso algo mais, como uma palavra ou um número: /link/palavra. Pergunte onde o obteve.',
  },
  refused: {
    title: 'Este endereço não é permitido',
    text: 'O que vem depois do link curto forma um endereço para o qual ele não pode redirecionar.',
  },
  tooLong: {
    title: 'Este endereço é demasiado longo',
    text: 'Com o que vem depois do link curto, o endereço de destino é demasiado longo. Use menos.',
  },
  once: {
    title: 'Este link só funciona uma vez',
    text: 'Ele redireciona quando prime o botão, e nunca mais. Se só queria ver, feche esta página.',
  },
  password: {
    title: 'Este link tem palavra-passe',
    text: 'Introduza-a para continuar. Se não a conhece, peça-a a quem lhe deu o link.',
    label: 'Palavra-passe',
    wrong: 'A palavra-passe não está correta. Maiúsculas e minúsculas fazem diferença.',
  },
  continue: 'Continuar',
  contact: 'Contacto: {contact}',
  failed: { title: 'Algo correu mal', status: 'Erro {status}' },
  root: {
    title: 'Links curtos',
    heading: 'Aqui vivem os links curtos',
    text: 'Cada um redireciona para um endereço escolhido pelo seu proprietário.',
    page: 'Procura uma página?',
    pageHelp: 'Escreva o link curto completo. A parte depois da barra indica o destino.',
    unsure: 'Tem dúvidas sobre um link?',
    unsureHelp: 'Acrescente um {plus} no fim. Verá para onde leva, sem o abrir.',
    making: 'Quer criar links curtos?',
    docs: 'documentação',
    docsHelp: 'A {docs} explica como, com todas as chamadas para experimentar.',
    api: 'descrição da API',
    apiHelp: 'A {api} explica-o aos programas.',
  },
  about: 'Sobre estes links curtos',
  preview: {
    title: 'Para onde leva {code}',
    heading: 'Este link leva a {host}',
    text: 'O link curto {code} leva a este endereço:',
    template: 'O destino de {code} é completado com o que vem depois do link curto:',
    go: 'Ir para {host}',
    made: 'Criado em {date}.',
  },
};
