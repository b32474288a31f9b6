export { answerQuestions, questionWord } from './answer-questions.ts'
export { createQuestionPool, type QuestionCounts, type QuestionPool } from './pool.ts'
