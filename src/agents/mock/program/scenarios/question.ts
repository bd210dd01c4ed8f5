import type { Scenario } from "../scenario.ts";

export const QUESTION: Scenario = {
  name: "question",
  summary: "one question with two options and free text",
  async play(turn) {
    await turn.text("One thing before I begin.");
    const { meaning, answers } = await turn.ask({
      kind: "question",
      title: "Which colour should the button have?",
      options: [],
      questions: [
        {
          id: "q1",
          name: "Colour",
          text: "Which colour should the button have?",
          options: [
            { label: "Blue", description: "As on every other page" },
            { label: "Green", description: "As in the new design" },
          ],
          free: true,
        },
      ],
    });
    const answer = answers.q1?.join(", ");
    const isAnswered = meaning !== "deny" && answer;
    await turn.startStep();
    await turn.text(isAnswered ? `You chose: ${answer}.` : "You did not answer, so I leave it as it is.");
  },
};
