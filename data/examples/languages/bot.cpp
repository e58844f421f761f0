// Bank Heist: stakes one credit, and goes in with the others.
#include <iostream>
#include <string>

int main(int count, char **) {
    if (count > 1) {
        std::cout << 1 << std::endl;
        return 0;
    }
    const std::string mark = "\"type\": \"decide\", \"id\": ";
    for (std::string line; std::getline(std::cin, line);) {
        const auto place = line.find(mark);
        if (place != std::string::npos) {
            const auto id = std::stol(line.substr(place + mark.size()));
            std::cout << "{\"id\": " << id << ", \"answer\": 1}" << std::endl;  // endl flushes
        }
    }
}
