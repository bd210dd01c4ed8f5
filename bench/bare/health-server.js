// The least there is to start: Node, and a server that answers. JavaScript, so that no types are stripped from it.
import { createServer } from "node:http";

const server = createServer((request, response) => {
  const { user, system } = process.cpuUsage();
  response.end(request.url === "/cpu" ? String(user + system) : "{}");
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
