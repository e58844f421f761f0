// Bank Heist: stakes one credit, and goes in with the others.
import java.util.Scanner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Bot {
    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            System.out.println(1);
            return;
        }
        Pattern id = Pattern.compile("\"type\": \"decide\", \"id\": (\\d+)");
        Scanner questions = new Scanner(System.in);
        while (questions.hasNextLine()) {
            Matcher question = id.matcher(questions.nextLine());
            if (question.find()) {
                System.out.println("{\"id\": " + question.group(1) + ", \"answer\": 1}");
            }
        }
    }
}
