export { answerQuestions, questionWord } from './answer-questions.ts'
export { QuestionPool } from './pool.ts'
